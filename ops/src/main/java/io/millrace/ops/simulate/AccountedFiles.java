package io.millrace.ops.simulate;

import io.millrace.schedulers.simulator.AccountedJobs;
import io.millrace.schedulers.simulator.Trace;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** The accounting files of a PBS server: one file, or a folder with one for each day. */
final class AccountedFiles {

  /**
   * More than the fields before the text of a record of PBS have, and more than the comments at the
   * top of a Grid Engine's file and its first line.
   */
  private static final int BEGINNING = 1 << 16;

  private static final String COMPRESSED = ".gz";

  private AccountedFiles() {}

  /** Whether what lies there is accounting, and no trace. */
  static boolean at(Path path) throws IOException {
    return Files.isDirectory(path) || beginsAsAccounting(path);
  }

  private static boolean beginsAsAccounting(Path file) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      return false;
    }
    try (InputStream in = open(file)) {
      byte[] beginning = in.readNBytes(BEGINNING);
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  new ByteArrayInputStream(beginning), StandardCharsets.ISO_8859_1));
      String first = lines.readLine();
      while (first != null && (first.isBlank() || first.startsWith("#"))) {
        first = lines.readLine();
      }
      return first != null && AccountedJobs.isRecord(first);
    } catch (EOFException | ZipException e) {
      return false;
    }
  }

  private static InputStream open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    if (!file.toString().endsWith(COMPRESSED)) {
      return in;
    }
    try {
      return new GZIPInputStream(in, 1 << 16);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /**
   * Reads all files, or those of some days.
   *
   * @param days which of a folder's files
   * @throws IOException with one line that says what is wrong
   */
  static Trace read(Path path, AccountedDays days) throws IOException {
    AccountedJobs jobs = new AccountedJobs();
    for (Path file : files(path, days)) {
      try (InputStream in = open(file)) {
        jobs.read(in);
      } catch (IOException e) {
        throw new IOException(file + " cannot be read: " + e.getMessage(), e);
      }
    }
    return jobs.trace();
  }

  /** The files, the oldest first. */
  static List<Path> files(Path path, AccountedDays days) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    List<Path> files;
    try (Stream<Path> inside = Files.list(path)) {
      files = inside.filter(it -> days.has(name(it))).sorted().toList();
    }
    if (files.isEmpty()) {
      throw new IOException(
          path + " has no accounting file" + days + ": they are called as their day, 20261120");
    }
    return files;
  }

  private static String name(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(COMPRESSED)
        ? name.substring(0, name.length() - COMPRESSED.length())
        : name;
  }
}
