package io.millrace.server.streams.input;

import java.io.IOException;

/** Runs the programs that attributes name, without the rights of the service. */
@FunctionalInterface
public interface InputPrograms {

  /**
   * The first line that a program says; waits for it.
   *
   * @param commandLine path of the program, and its arguments
   * @param limitS after how many seconds it is ended
   * @throws IOException in one line, when there is no such line
   */
  String firstLine(String commandLine, int limitS) throws IOException, InterruptedException;
}
