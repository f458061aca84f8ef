# An error inside an imported script shows both files.
import helper_broken
