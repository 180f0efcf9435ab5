"""Read objects from S3, Google Cloud Storage and Azure, and write a release there."""
