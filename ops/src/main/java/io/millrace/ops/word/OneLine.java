package io.millrace.ops.word;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * The one-line message of an exception for an operator. Exceptions about files often have only the
 * file name as message.
 */
public final class OneLine {

  private OneLine() {}

  public static String of(Throwable e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    if (e instanceof AccessDeniedException) {
      return message + ": permission denied";
    }
    if (e instanceof NoSuchFileException) {
      return message + ": no such file or directory";
    }
    if (e instanceof FileAlreadyExistsException) {
      return message + ": exists already";
    }
    if (e instanceof NotDirectoryException) {
      return message + ": not a directory";
    }
    return message;
  }
}
