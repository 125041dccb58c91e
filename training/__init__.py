"""Makes the reader: prepare, teacher, distil, calibrate, export. See docs/reader.md."""
