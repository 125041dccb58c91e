"""Human labels: projects, annotators, and what they marked, kept in a database."""
