package io.millrace.server.client;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Where an invocation reads what is typed and shows what it says.
 *
 * @param in standard input; not asked when that of this process is a file
 * @param out standard output
 * @param err standard error
 */
public record Streams(InputStream in, OutputStream out, OutputStream err) {

  /** Those of this process, unbuffered. */
  public static Streams ofProcess() {
    return new Streams(
        new FileInputStream(FileDescriptor.in),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err));
  }
}
