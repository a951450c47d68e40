"""The aws provider: resources and data sources on moto."""
