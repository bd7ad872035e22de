"""The archive: an index over what lies below an owner's floor, found by neutral and by own words."""
