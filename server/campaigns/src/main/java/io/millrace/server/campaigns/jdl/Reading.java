package io.millrace.server.campaigns.jdl;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** A document that is being read. */
interface Reading {

  /** Stands on the value that is read next. */
  JsonParser parser();

  /** Takes the parameters of one more task. */
  void task(String parameters);

  /**
   * Reads the settings of a cluster, on whose value the parser stands.
   *
   * @param name of the cluster
   */
  void cluster(String name) throws IOException, WrongValue;
}
