"""How are the objects of S3, Google Cloud Storage and Azure read, and a release put among them?"""
