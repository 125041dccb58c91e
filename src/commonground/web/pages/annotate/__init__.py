"""The Annotate pages: projects for their owner, labelling for annotators."""
