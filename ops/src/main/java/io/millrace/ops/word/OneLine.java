package io.millrace.ops.word;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * What an exception says to an operator. Those about files often name the file and nothing more.
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
