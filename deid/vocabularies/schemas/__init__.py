"""Published data models as tables; `deid.vocabularies.data_models` reads them."""
