-- A role that gives out codes and cannot reveal: it never reads the sealed values.
-- Run as the owner of the crosswalk, with the name of the role in place of ALLOCATOR:
--   sed 's/ALLOCATOR/etl_job/' allocator.sql | psql 'postgresql://owner@host/db'
GRANT SELECT, INSERT, UPDATE ON crosswalk_book TO ALLOCATOR;
GRANT SELECT ON crosswalk_keys TO ALLOCATOR;
GRANT SELECT, INSERT ON crosswalk_audit TO ALLOCATOR;
GRANT SELECT (place, kind, mark, number, token), INSERT ON crosswalk_entries TO ALLOCATOR;
