"""Documents of word processors, browsers, mail programs and printers."""
