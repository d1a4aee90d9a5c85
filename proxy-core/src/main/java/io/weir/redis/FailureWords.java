package io.weir.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Description of a Redis failure in the proxy's own words, because foreign messages might contain an address or a password.
 */
final class FailureWords {

    private static final int MAX_CAUSES = 10;

    private FailureWords() {}

    static String of(@Nullable Throwable failure) {
        Throwable cause = failure;
        String words = "cannot be reached";
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            String found = one(cause);
            words = found == null ? words : found;
            cause = cause.getCause();
        }
        return words;
    }

    /** Returns whether no answer came. An answer that is an error shows that Redis is there. */
    static boolean isSilence(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return failure != null && !(cause instanceof RedisCommandExecutionException);
    }

    private static @Nullable String one(Throwable cause) {
        if (cause instanceof RedisCommandExecutionException refused) {
            return "it refused (" + code(refused) + ")";
        }
        if (cause instanceof RedisCommandTimeoutException) {
            return "no answers in time";
        }
        return cause instanceof UnknownHostException ? "its name is not known" : null;
    }

    /** Returns the first word of an error, which names its kind. */
    private static String code(RedisCommandExecutionException refused) {
        String message = String.valueOf(refused.getMessage());
        String word = message.split(" ", 2)[0].toUpperCase(Locale.ROOT);
        return word.matches("[A-Z]{2,20}") ? word : "ERR";
    }
}
