package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.files.FilesUnreached;

/** There is no connection; the message is one line with cause and cure. */
final class SshFault extends FilesUnreached {
  private static final long serialVersionUID = 1L;

  SshFault(String message) {
    super(message);
  }

  SshFault(String message, Throwable cause) {
    super(message, cause);
  }
}
