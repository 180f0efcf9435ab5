"""X12 interchanges: claims, remittances, enrollments, eligibility, authorizations."""
