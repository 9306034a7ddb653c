import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, UsageError, withStore, writeNewFile } from "#cli/applications/command.ts";
import { applicationsCsv } from "#lib/channels/applications-csv.ts";

export const exportCommand: Command = {
  usage: "export 파일.csv",
  purpose: "모든 신청을 엑셀에서 여는 표로 저장 (폴더를 적지 않으면 데이터 폴더에)",

  async run([typed, ...rest], config) {
    if (typed === undefined || rest.length > 0) throw new UsageError();
    const file = resolve(config.dataDir, typed);
    const found = await withStore(config, (store) => store.list({}));
    const csv = applicationsCsv(found.toReversed());
    await writeNewFile(file, (temporary) => writeFile(temporary, csv));
    console.info(`신청 ${found.length}건을 저장했습니다: ${file}`);
    console.info(
      "개인정보가 들어 있습니다. 다 쓰면 지워 주세요. 보관 기간이 지나도 이 파일은 자동으로 지워지지 않습니다.",
    );
  },
};
