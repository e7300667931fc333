# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
class ClientException(Exception):
    def __init__(*args):
        pass
