package io.millrace.schedulers.campaigns.strategies;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A fair turn between users: who has least gets so much that all come to have the same. */
public final class FairTurn {

  private FairTurn() {}

  /**
   * What the user whose turn it is gets of the room, in processors; at least one of any room.
   *
   * @param own what he has
   * @param others what the others have who want it too
   * @param room what there is to give
   */
  public static int share(int own, List<Integer> others, int room) {
    List<Integer> all = new ArrayList<>(others);
    all.add(own);
    Collections.sort(all);
    int level = all.get(0);
    int left = room;
    for (int users = 1; users <= all.size() && left >= users; users++) {
      int next = users < all.size() ? all.get(users) : Integer.MAX_VALUE;
      int step = Math.min(next - level, left / users);
      level += step;
      left -= step * users;
    }
    return Math.min(room, Math.max(1, level - own));
  }
}
