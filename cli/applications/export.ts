import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Command, UsageFault, withStore } from "#cli/applications/command.ts";
import { FILTER_HELP, FILTER_OPTIONS, filterIn } from "#cli/applications/filter.ts";
import { newFile } from "#cli/applications/new-file.ts";
import { say } from "#cli/say.ts";
import { applicationsCsv } from "#lib/channels/applications-csv.ts";

/** All applications as a table that Excel opens. */
export const exportCsv: Command = {
  usage: "export 파일.csv",
  does: "신청을 엑셀에서 여는 표로 저장",
  options: FILTER_HELP,

  async run(args, config) {
    const options = FILTER_OPTIONS;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [typed] = positionals;
    if (typed === undefined || positionals.length > 1) throw new UsageFault();
    const file = resolve(typed);
    const filter = filterIn(values, Date.now());
    const found = await withStore(config, (store) => store.list(filter));
    await newFile(file, (aside) => appendFile(aside, applicationsCsv(found.toReversed())));
    say(`신청 ${found.length}건을 저장했습니다: ${file}`);
    say(
      "개인정보가 들어 있습니다. 다 쓰면 지워 주세요. 보관 기간이 지나도 이 파일은 저절로 지워지지 않습니다.",
    );
    return 0;
  },
};
