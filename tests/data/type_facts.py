"""Writes core/derivation/type_facts.def: facts about a model type that its tensors do not show, for explanations.

python tests/data/type_facts.py > core/derivation/type_facts.def

From transformers: the activation and the rotary positions of each type's default configuration, whether its norms are RMSNorm according to
its configuration or its code. SINUSOIDAL names types whose text model adds sinusoids that are computed and not stored. Types without any known fact are left out. BY_HAND has types that transformers lacks, from
their publishers' code.
"""

import logging
import pathlib
import re
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import transformers  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

ACTIVATIONS = ["hidden_act", "hidden_activation", "feed_forward_proj", "activation_function", "mlp_hidden_act"]
MODELS = pathlib.Path(transformers.__file__).parent / "models"


def settings(config):
    """The settings of the configuration, overridden by those of its text model."""
    return {**config.to_dict(), **config.get_text_config().to_dict()}


def has_rotary_positions(type_name, own):
    if type_name == "roformer" or own.get("rope_parameters") or own.get("rotary_dim"):
        return True
    return False


def code_of(config):
    folder = MODELS / type(config).__module__.split(".")[-2]
    return "".join(path.read_text() for path in folder.glob("modeling_*.py"))


def has_rms_norms(config, own):
    """Whether a norm without a shift is RMSNorm: the other one is LayerNorm without a bias."""
    if "rms_norm_eps" in own:
        return True
    code = code_of(config) + code_of(config.get_text_config())
    own_norm = re.search(r"RMSNorm\(|T5LayerNorm|class \w+LayerNorm\(nn\.Module\):[^#]*?pow\(2\)\.mean", code)
    without_bias = re.search(r"LayerNorm\([^()]*bias=|norm\w*\.bias = None|hidden_states - mean", code)
    return own_norm is not None and without_bias is None


SINUSOIDAL = set(
    "fsmt kosmos-2 kosmos-2.5 kosmos_2_text_model kosmos_2_5_text_model m2m_100 musicgen musicgen_decoder musicgen_melody "
    "musicgen_melody_decoder nllb-moe pegasus_x qwen3_asr_encoder seamless_m4t seamless_m4t_v2 speech_to_text tipsv2 tipsv2_text_model "
    "xglm".split()
)
BY_HAND = {
    name: ("silu", True, True)
    for name in (
        "arctic bailing_moe_v2 chatglm deepseek_params deepseek_vl_v2 eagle exaone hunyuan internlm internlm2 jet_nemotron "
        "kimi_k2 llama_params llava_llama llava_mistral mimo minicpm nsa peagle phi3_v qwen samba telechat transformer "
        "videochat_flash_qwen xverse yuan"
    ).split()
}
BY_HAND |= {name: ("silu", False, True) for name in "delta_net gated_deltanet gla gsa hgrn hgrn2 linear_attn retnet".split()}
# Baichuan of 13B has ALiBi instead of rotary positions.
BY_HAND |= {"baichuan": ("silu", False, True), "stablelm_epoch": ("silu", True, False), "fla_mamba2": ("silu", False, True)}

print("// Made by tests/data/type_facts.py: (model type, its default activation, rotary positions, RMSNorm, sinusoidal positions).")
for name in sorted({*CONFIG_MAPPING.keys(), *BY_HAND}):
    if name in BY_HAND:
        activation, rotary, rms = BY_HAND[name]
        print(f'X("{name}", "{activation}", {str(rotary).lower()}, {str(rms).lower()}, false)')
        continue
    try:
        config = CONFIG_MAPPING[name]()
        own = settings(config)
    except Exception:  # types without a default configuration
        continue
    activation = next((own[key] for key in ACTIVATIONS if isinstance(own.get(key), str)), "")
    facts = has_rotary_positions(name, own), has_rms_norms(config, own), name in SINUSOIDAL
    if activation or any(facts):
        print(f'X("{name}", "{activation}", {", ".join(str(fact).lower() for fact in facts)})')
