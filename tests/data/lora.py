#!/usr/bin/env python3
"""What peft trains of a model, built on the meta device: rebuilds the cases of a file, one line of JSON each.

    lora.py CASES.jsonl [-o OUT]

Needs: pip install torch==2.13.0 transformers==5.23.0 peft==0.21.2

    config              the configuration; the model is of the first class in `architectures`
    r, target_modules, target_parameters, modules_to_save, use_dora, use_rslora
                        as in LoraConfig
    trained             trained numbers; or refused, if peft finds nothing or cannot adapt it
"""
import argparse, json, os, sys, warnings

warnings.filterwarnings("ignore")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("HF_HUB_OFFLINE", "1")


FIELDS = ("r", "target_modules", "target_parameters", "modules_to_save", "use_dora", "use_rslora")


def answered(case):
    import peft, torch, transformers
    given = {key: case[key] for key in ("config", *FIELDS) if key in case}
    values = dict(given["config"])
    config = transformers.AutoConfig.for_model(values.pop("model_type"), **values)
    adapter = peft.LoraConfig(**{key: value for key, value in given.items() if key != "config"})
    try:
        with torch.device("meta"):
            model = getattr(transformers, values["architectures"][0])(config)
            adapted = peft.get_peft_model(model, adapter, low_cpu_mem_usage=True)
    except (ValueError, TypeError, NotImplementedError):
        return {**given, "refused": True}
    return {**given, "trained": str(sum(p.numel() for p in adapted.parameters() if p.requires_grad))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases")
    parser.add_argument("-o", "--out")
    options = parser.parse_args()
    with open(options.cases, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    lines = [json.dumps(answered(case), separators=(",", ":")) + "\n" for case in cases]
    with open(options.out, "w", encoding="utf-8") if options.out else sys.stdout as out:
        out.writelines(lines)


if __name__ == "__main__":
    main()
