"""The real browser that pages are opened in; without one their tests are skipped, and fail in CI."""

import os

import pytest
from render import chromium


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    program = chromium.find()
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium is not installed (apt-get install chromium)")
        pytest.skip("chromium is not installed")
    browser = chromium.Browser(program, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()
