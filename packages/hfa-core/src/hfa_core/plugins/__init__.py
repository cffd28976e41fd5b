"""The extension points that other packages implement, and their loading. No hook imports this."""

from hfa_core.plugins.hookspecs import hookimpl as hookimpl
