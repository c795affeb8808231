"""The same question to several packages: what is asked, of which table, and what each of them runs."""
