"""Published data models as tables; `deid.schema` reads them."""
