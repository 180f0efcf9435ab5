SELECT pg_catalog.set_config(
  'search_path',
  pg_catalog.concat(
    pg_catalog.quote_ident(COALESCE(
      (SELECT n.nspname FROM pg_catalog.pg_class c, pg_catalog.pg_namespace n
        WHERE n.oid OPERATOR(pg_catalog.=) c.relnamespace
          AND c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass('crosswalk_book')::pg_catalog.oid),
      pg_catalog.current_schema())),
    ', pg_temp'),
  false)
WHERE pg_catalog.current_schema() IS NOT NULL
