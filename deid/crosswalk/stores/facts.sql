-- (kind, table, fact) of everything in or on the tables of a crosswalk; facts.tsv lists what is expected.
WITH own AS (
  SELECT c.* FROM pg_catalog.pg_class c
   WHERE c.oid IN (to_regclass('crosswalk_book'), to_regclass('crosswalk_keys'),
                   to_regclass('crosswalk_audit'), to_regclass('crosswalk_entries'))
)
SELECT 'table', relname::text,
       concat_ws(' ', relkind::text, relpersistence::text, relispartition, relrowsecurity,
                 relforcerowsecurity, reloftype::text)
  FROM own
UNION ALL
SELECT 'column', relname::text,
       concat_ws(' ', attname::text, format_type(atttypid, atttypmod), attnotnull, atthasdef,
                 attidentity::text, attgenerated::text, attcollation::regcollation::text)
  FROM own JOIN pg_catalog.pg_attribute ON attrelid = own.oid
 WHERE attnum > 0 AND NOT attisdropped
UNION ALL
SELECT 'constraint', relname::text, concat_ws(' ', contype::text, pg_get_constraintdef(k.oid))
  FROM own JOIN pg_catalog.pg_constraint k ON conrelid = own.oid
 WHERE contype <> 'n'
UNION ALL
SELECT 'index', relname::text,
       concat_ws(' ', indkey::text, indisunique, indisprimary, indisvalid, indisready,
                 indpred IS NULL, indexprs IS NULL,
                 (SELECT bool_and(opcdefault) FROM pg_catalog.pg_opclass WHERE oid = ANY (indclass)))
  FROM own JOIN pg_catalog.pg_index ON indrelid = own.oid
UNION ALL
SELECT 'trigger', relname::text, tgname::text
  FROM own JOIN pg_catalog.pg_trigger ON tgrelid = own.oid
UNION ALL
SELECT 'rule', relname::text, rulename::text
  FROM own JOIN pg_catalog.pg_rewrite ON ev_class = own.oid
UNION ALL
SELECT 'policy', relname::text, polname::text
  FROM own JOIN pg_catalog.pg_policy ON polrelid = own.oid
UNION ALL
SELECT 'child or parent table', relname::text, 'inherits'
  FROM own JOIN pg_catalog.pg_inherits ON own.oid IN (inhrelid, inhparent)
UNION ALL
SELECT DISTINCT 'view', own.relname::text, r.ev_class::text
  FROM own JOIN pg_catalog.pg_depend d
    ON d.refobjid = own.oid AND d.refclassid = 'pg_catalog.pg_class'::regclass
   AND d.classid = 'pg_catalog.pg_rewrite'::regclass
  JOIN pg_catalog.pg_rewrite r ON r.oid = d.objid AND r.ev_class <> own.oid
UNION ALL
SELECT 'relation beside the tables', 'crosswalk_book', c.relname::text
  FROM pg_catalog.pg_class c JOIN own ON own.relname = 'crosswalk_book'
   AND c.relnamespace = own.relnamespace
 WHERE c.relname LIKE 'crosswalk\_%' AND c.oid NOT IN (SELECT oid FROM own)
   AND c.oid NOT IN (SELECT indexrelid FROM pg_catalog.pg_index JOIN own ON indrelid = own.oid)
