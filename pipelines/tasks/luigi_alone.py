"""Luigi with our settings alone.

When it is imported and when it runs, Luigi reads `luigi.cfg` and `client.cfg` of the working folder
and of /etc/luigi, and the file that LUIGI_CONFIG_PATH names.  These are another project's: they
may stop our stages after a second, or name a file of code to run.  So all our modules import Luigi
from here, and build inside `settings()`.

    from campanula.pipelines.tasks.luigi_alone import luigi
"""

from __future__ import annotations

import configparser
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

READ_BY_LUIGI = ("LUIGI_CONFIG_PATH", "LUIGI_CONFIG_PARSER")
SETTINGS = {
    "core": {"autoload_range": "false"},
    "worker": {
        "no_install_shutdown_handler": "true",  # Luigi's would take SIGUSR1
        "send_failure_email": "false",
        "check_complete_on_run": "true",
    },
}
RETRIES = {"rpc-retry-attempts": "10", "rpc-retry-wait": "3"}
"""How often, and after how many seconds, a scheduler that does not answer is asked again."""

LOGGERS = ("luigi", "luigi-interface")


def _settings_only(parser: configparser.RawConfigParser, *files: object) -> list[str]:
    """Stand-in for RawConfigParser.read: gives the parser our settings and reads no file."""
    parser.read_dict(SETTINGS)
    return []


@contextmanager
def replaced(owner: Any, name: str, value: object) -> Iterator[None]:
    """Give an attribute of `owner` another value while the context lasts."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextmanager
def _no_files() -> Iterator[None]:
    """Let an import of Luigi within this context read no files.

    In a program that has imported Luigi before, Luigi keeps the settings that it has.
    """
    if "luigi" in sys.modules:
        yield
        return
    hidden = {name: os.environ.pop(name) for name in READ_BY_LUIGI if name in os.environ}
    try:
        with replaced(configparser.RawConfigParser, "read", _settings_only):
            yield
    finally:
        os.environ.update(hidden)
    luigi.configuration.core._get_default_parser = _usual_parser


def _usual_parser() -> str:
    """Stand-in for Luigi's choice of a parser by LUIGI_CONFIG_PARSER: the one with our settings."""
    return "cfg"


@contextmanager
def settings() -> Iterator[None]:
    """Give Luigi our settings alone, and silence its logs, while the context lasts."""
    parser = luigi.configuration.LuigiConfigParser
    ours = parser()
    ours.read_dict(SETTINGS)
    loggers = [logging.getLogger(name) for name in LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        # above every level: what fails is raised, and need not be told twice
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with (
            replaced(luigi.configuration.core, "_get_default_parser", _usual_parser),
            # Luigi has one configuration a process; a program that uses Luigi itself gets its own
            # back
            replaced(parser, "_instance", ours),
            replaced(luigi.setup_logging.InterfaceLogging, "_configured", True),  # pyright: ignore[reportAttributeAccessIssue]
        ):
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def remote_scheduler(url: str) -> Any:
    """Return the scheduler at an address; call it inside `settings()` only."""
    # not in SETTINGS: Luigi warns of these where its parser has read them
    for name, value in RETRIES.items():
        config: Any = luigi.configuration.get_config
        config().set("core", name.replace("-", "_"), value)
    scheduler: Any = luigi.rpc.RemoteScheduler
    return scheduler(url)


with _no_files():
    import luigi as luigi
