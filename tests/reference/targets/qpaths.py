# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: the qualified paths of the reference: methods, a class in a function, a re-export."""

import os

import helpers.helpful
import requests.exceptions

os.write(1, b"ready\n")
os.read(0, 4096)
helpers.helpful.Helper().help()
helpers.helpful.make_helper()
requests.exceptions.ClientException()
