"""Who may come in: login, invitations, accounts, and what people share."""
