"""What `pipenv run <name>` runs: `python -m commands.<name>`."""
