//! Errors as Python sees them.

use pyo3::create_exception;
use pyo3::exceptions::PyException;

create_exception!(lopper, LopperError, PyException, "What Lopper cannot do, with where and why.");
