package io.millrace.schedulers.campaigns.predictors;

/**
 * What is to be done with a campaign on a cluster.
 *
 * @param takeBack waiting tasks that go back into the bag, the last sent first; before sending
 * @param send tasks that are sent
 */
public record Flow(int takeBack, int send) {

  public Flow {
    if (takeBack < 0 || send < 0) {
      throw new IllegalArgumentException("nobody sends " + send + " or takes back " + takeBack);
    }
  }
}
