package io.millrace.server.streams.input;

import java.io.IOException;

/** Runs the programs that attributes name, without the rights of the service. */
@FunctionalInterface
public interface InputPrograms {

  /**
   * What a program says; waits for it.
   *
   * @param commandLine path of the program, and its arguments
   * @param limitS after how many seconds it is ended
   * @param all whether more than its first line is wanted
   * @throws IOException in one line, when it says nothing of the kind
   */
  String said(String commandLine, int limitS, boolean all) throws IOException, InterruptedException;
}
