"""Who may do what: sessions, passwords, and checks that every request goes through."""
