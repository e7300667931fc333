# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
from requests.client.exceptions import ClientException

__all__ = ("ClientException",)
