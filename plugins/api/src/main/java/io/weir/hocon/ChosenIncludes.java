package io.weir.hocon;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import java.io.File;
import java.net.URL;
import java.util.Iterator;
import java.util.List;

/**
 * Resolves a file's include statements, in their order, with content that was read before.
 * Typesafe Config thereby opens no file or connection itself. Confined to one thread.
 */
final class ChosenIncludes implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {

    private final Iterator<ConfigObject> chosen;

    ChosenIncludes(List<ConfigObject> chosen) {
        this.chosen = chosen.iterator();
    }

    private ConfigObject next() {
        // A text that is no HOCON may have more of them than were found.
        return chosen.hasNext() ? chosen.next() : ConfigFactory.empty().root();
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
        return next();
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
        return next();
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
        return next();
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
        return next();
    }

    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
        return this;
    }
}
