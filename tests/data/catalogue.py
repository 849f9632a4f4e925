"""Loads each configuration of the catalogue with transformers' own class and prints those that it refuses: catalogue.py [ID...]

Skips models whose type transformers lacks, and those whose configuration sets use_timm_backbone.
"""

import json
import sys
from pathlib import Path

from transformers.models.auto.configuration_auto import CONFIG_MAPPING

models = json.loads((Path(__file__).parents[2] / "web/data/models.json").read_text())
loaded = refused = 0
for model in models:
    config = model["config"]
    if len(sys.argv) > 1 and model["id"] not in sys.argv[1:]:
        continue
    if config.get("model_type") not in CONFIG_MAPPING or config.get("use_timm_backbone"):
        continue
    try:
        CONFIG_MAPPING[config["model_type"]].from_dict(config)
        loaded += 1
    except Exception as error:  # any refusal counts
        refused += 1
        print(model["id"], type(error).__name__, str(error).splitlines()[0], sep=": ")
print(f"{loaded} load, {refused} are refused")
sys.exit(refused > 0)
