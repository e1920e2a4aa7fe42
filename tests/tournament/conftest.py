"""Property tests say nothing about time: on a busy machine an example may take as long as it likes."""

from hypothesis import settings

settings.register_profile("no deadline", parent=settings(), deadline=None)
settings.load_profile("no deadline")
