package io.millrace.server.web.route;

import java.io.InputStream;
import java.util.List;

/**
 * The routes of one subject, found by {@link java.util.ServiceLoader}. Routes that need classes
 * which the door may not import come from other modules.
 */
public interface RouteSet {

  /**
   * Its part of the table.
   *
   * @param callers gives each caller what the commands know of him
   */
  List<Route> routes(Callers callers);

  /** Schemas of its bodies, a JSON object by their names. */
  InputStream schemas();
}
