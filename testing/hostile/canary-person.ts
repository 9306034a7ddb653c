/** Tests search the log, the answers and the data folder of a server for the data of this person. */
export const CANARY = {
  name: "카나리아여주",
  phone: "010-7654-3210",
  message: "카나리아의 말씀입니다 20261121",
};
/** The person's data in the spellings of rows, messages and journals. */
export const CANARY_TRACES = [CANARY.name, "1076543210", "7654-3210", "카나리아의 말씀"];
