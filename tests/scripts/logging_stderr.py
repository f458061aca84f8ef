# exit: 0
# Without a handler: warnings and worse go to standard error, as they are; `basicConfig` writes there too.
import logging

logger = logging.getLogger("train")
logger.info("not shown")
logger.warning("shown as it is")
logger.error("%d errors", 3)
logging.warning("the root gets a handler")
logger.error("which its children use")
logging.getLogger("train").info("below the root's level")
logging.basicConfig(level=logging.INFO, force=True, format="%(levelname)s - %(message)s")
logger.info("now shown")
