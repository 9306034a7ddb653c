import { CallButton } from "#components/ui/button.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { config } from "#lib/config.ts";
import { answeredQuestions, pricingQuestions } from "#lib/content/questions.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

/** The answers are not collapsed, so that a visitor can search the page for their words. */
export function Questions() {
  const configured = config();
  return (
    <section className="section-block bg-white">
      <div className="page-width grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <div className="lg:sticky lg:top-25 lg:self-start">
          <h2 className="type-h2 text-asphalt-900">{pricingQuestions.title}</h2>
          <CallButton
            phone={configured.inquiryPhone}
            className="button-number mt-6 max-lg:hidden"
          />
        </div>
        <div className="border-asphalt-900 border-t-2">
          {answeredQuestions(configured).map(({ question, answer }) => (
            <div key={question} className="border-asphalt-300 border-b py-6">
              <h3 className="font-bold text-asphalt-900 text-lg leading-[1.45] tracking-title">
                {question}
              </h3>
              <p className="type-body mt-2 text-asphalt-600">
                <PageText text={fillPlaceholders(answer, { phone: configured.inquiryPhone })} />
              </p>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
