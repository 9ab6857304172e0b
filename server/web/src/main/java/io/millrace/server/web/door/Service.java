package io.millrace.server.web.door;

import io.millrace.server.web.route.Answer;
import io.millrace.server.web.route.Problem;
import java.util.Map;
import java.util.Optional;

/** What stands behind the door. Both calls may take their time. */
public interface Service {

  /**
   * What the head of a request tells.
   *
   * @param refusal an answer for which the body need not be read
   * @param known whether it is proven who asks
   * @param marks headers of every answer to this request from now on
   */
  record Early(Optional<Answer> refusal, boolean known, Map<String, String> marks) {

    public static Early refused(Answer answer) {
      return new Early(Optional.of(answer), false, Map.of());
    }

    public static Early goOn(boolean known, Map<String, String> marks) {
      return new Early(Optional.empty(), known, marks);
    }
  }

  /** Looks at a request whose body is empty still. */
  Early early(Incoming head) throws InterruptedException;

  /** The answer to a whole request. */
  Answer answer(Incoming request) throws InterruptedException;

  /** An answer that says why there is no other one. */
  default Answer problem(int status, int code, String text) {
    return new Problem(status, code, text).answer();
  }
}
