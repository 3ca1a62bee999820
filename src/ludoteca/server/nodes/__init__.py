"""Several servers (nodes) on one database: who minds which table, and how the others learn what happened."""
