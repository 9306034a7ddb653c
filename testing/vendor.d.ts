declare module "@adobe/structured-data-validator" {
  export default class Validator {
    validate(extracted: {
      jsonld: Record<string, Record<string, unknown>[]>;
    }): Promise<{ rootType: string; issueMessage: string; severity: "ERROR" | "WARNING" }[]>;
  }
}
