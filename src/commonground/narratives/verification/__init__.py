"""Verification: do sources state what a summary says?"""
