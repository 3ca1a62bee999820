"""Where everything is stored: one contract, kept by SQLite and by PostgreSQL."""
