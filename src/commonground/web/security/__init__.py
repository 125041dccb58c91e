"""Security: sessions, passwords, and checks of every request."""
